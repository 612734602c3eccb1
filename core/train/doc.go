// Package train works out what training a model takes: which parameters get a
// gradient, and what a device holds of weights, gradients, optimizer states and
// activations.
package train
