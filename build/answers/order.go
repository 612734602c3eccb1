package answers

import (
	"math"
)

const (
	shingle   = 8  // bytes in a row that two files may share
	ofMany    = 60 // a shingle of this many files says nothing of which are alike
	lookingAt = 12 // files before the next one that it is held to
)

// alike orders files so that each stands near those with which it shares the most: what packs the whole finds what it has
// seen close behind. Equal files give an equal order. It begins with the first one.
func alike(files [][]byte) []int {
	holders := map[uint64][]int{} // by shingle, ascending
	for i, file := range files {
		for at := 0; at+shingle <= len(file); at++ {
			h := uint64(0)
			for _, b := range file[at : at+shingle] {
				h = h<<8 | uint64(b)
			}
			if list := holders[h]; len(list) == 0 || list[len(list)-1] != i {
				holders[h] = append(list, i)
			}
		}
	}
	// Whole numbers, so that it does not matter in which order they are added up.
	shared := make([][]int64, len(files))
	for i := range shared {
		shared[i] = make([]int64, len(files))
	}
	for _, list := range holders {
		if len(list) < 2 || len(list) >= ofMany {
			continue
		}
		weight := int64(1000 / math.Log(float64(1+len(list))))
		for i, a := range list {
			for _, b := range list[i+1:] {
				shared[a][b] += weight
				shared[b][a] += weight
			}
		}
	}
	order := make([]int, 0, len(files))
	left := make([]int, len(files))
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		best, most := 0, -1.0
		if len(order) > 0 {
			for k, i := range left {
				sum := 0.0
				for back := 1; back <= lookingAt && back <= len(order); back++ {
					sum += float64(shared[order[len(order)-back]][i]) / float64(back)
				}
				if sum /= math.Sqrt(float64(1 + len(files[i]))); sum > most {
					best, most = k, sum
				}
			}
		}
		order = append(order, left[best])
		left = append(left[:best], left[best+1:]...)
	}
	return order
}
