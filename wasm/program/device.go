package program

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
)

// read is the device that was asked about last, which most questions are about again.
var read struct {
	text string
	is   *device.Device
}

// ReadDevice is Device for programs that answer about one.
func ReadDevice(text string) (*device.Device, *fault.Error) {
	if read.is != nil && read.text == text {
		return read.is, nil
	}
	v, err := config.ParseObject(text)
	if err != nil {
		return nil, err
	}
	d, err := device.Parse(&v, nil)
	if err == nil {
		read.text, read.is = text, d
	}
	return d, err
}
