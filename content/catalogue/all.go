package catalogue

import (
	"sync"

	"llmsize/content"
	"llmsize/core/predict"
)

// What comes with the program, each read once. All who ask share it, so nobody may change it.
var (
	AllModels  = sync.OnceValues(func() (*Catalogue, error) { return Load(content.FS()) })
	AllDevices = sync.OnceValues(func() (*Devices, error) { return LoadDevices(content.FS()) })
	AllEngines = sync.OnceValues(func() (*predict.Library, error) { return LoadEngines(content.FS()) })
)
