package catalogue

import (
	"sync"

	"llmsize/content"
	"llmsize/core/predict"
)

// What comes with the program is read once. All who ask share it, so nobody may change it.
var (
	// AllModels are the models that come with the program, of [Load].
	AllModels = sync.OnceValues(func() (*Catalogue, error) { return Load(content.FS()) })

	// AllDevices are its devices, of [LoadDevices].
	AllDevices = sync.OnceValues(func() (*Devices, error) { return LoadDevices(content.FS()) })

	// AllEngines is what it knows of engines, of [LoadEngines].
	AllEngines = sync.OnceValues(func() (*predict.Library, error) { return LoadEngines(content.FS()) })
)
