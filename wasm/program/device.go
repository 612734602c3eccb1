package program

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
)

// ReadDevice is Device for programs that answer about one.
func ReadDevice(text string) (*device.Device, *fault.Error) {
	v, err := config.ParseObject(text)
	if err != nil {
		return nil, err
	}
	return device.Parse(&v, nil)
}
