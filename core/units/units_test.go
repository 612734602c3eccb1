package units_test

import (
	"math/big"
	"testing"

	"llmsize/core/units"
)

func TestShort(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0"}, {7, "7"}, {999, "999"}, {1000, "1.00 K"}, {1234, "1.23 K"}, {12_345, "12.3 K"}, {123_456, "123 K"},
		{999_499, "999 K"}, {999_500, "1.00 M"}, // rounding carries into the next prefix
		{8_030_261_248, "8.03 B"}, {405_853_388_800, "406 B"}, {671_026_404_352, "671 B"}, {1<<63 - 1, "9,223 Q"}, {-1500, "-1.50 K"},
	} {
		if got := units.Params(c.n).Short(); got != c.want {
			t.Errorf("%d: %q, want %q", c.n, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n       int64
		gb, gib string
	}{
		{0, "0 B", "0 B"}, {1023, "1.02 kB", "1,023 B"}, {1024, "1.02 kB", "1.00 KiB"},
		{16_060_522_496, "16.1 GB", "15.0 GiB"}, // Llama-3.1-8B in 16 bits
		{1 << 30, "1.07 GB", "1.00 GiB"}, {80_000_000_000, "80.0 GB", "74.5 GiB"},
		{1000 << 20, "1.05 GB", "1,000 MiB"},
	} {
		b := units.Bytes(c.n)
		if b.GB() != c.gb || b.GiB() != c.gib {
			t.Errorf("%d: %q %q, want %q %q", c.n, b.GB(), b.GiB(), c.gb, c.gib)
		}
	}
}

func TestGroup(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 8_030_261_248: "8,030,261,248", -1 << 63: "-9,223,372,036,854,775,808"} {
		if got := units.Group(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{1, 3, "33.3%"}, {2, 3, "66.7%"}, {0, 5, "0.0%"}, {1, 1_000_000, "<0.1%"}, {5, 5, "100.0%"}, {1 << 62, 1<<63 - 1, "50.0%"}, {1, 0, "–"}} {
		if got := units.Percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestParseCount(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int64
		fail bool
	}{
		{"8192", 8192, false}, {"8,192", 8192, false}, {"8 192", 8192, false}, {"8k", 8000, false}, {"8Ki", 8192, false}, {"1.5M", 1_500_000, false},
		{"15T", 15e12, false}, {"2.50", 0, true}, {"2.00", 2, false}, {"0.5Ki", 512, false}, {"", 0, true}, {"k", 0, true}, {"-1", 0, true},
		{"1e3", 1000, false}, {"1.5E4", 15000, false}, {"1e18", 1e18, false}, {"1e19", 0, true}, {"10e18", 0, true}, {"1e", 0, true}, {"1e-3", 0, true}, {"9223372036854775807", 1<<63 - 1, false}, {"9223372036854775808", 0, true}, {"9999999T", 0, true}, {"12 parsec", 0, true},
	} {
		n, err := units.ParseCount(c.s)
		if (err != nil) != c.fail || err == nil && n != c.n {
			t.Errorf("%q: %d, %v; want %d, error %v", c.s, n, err, c.n, c.fail)
		}
	}
}

// FuzzFixed holds the integer rounding against exact fractions.
func FuzzFixed(f *testing.F) {
	f.Add(int64(1), int64(3), uint8(2))
	f.Add(int64(999_999), int64(1_000_000), uint8(3))
	f.Fuzz(func(t *testing.T, num, den int64, decimals uint8) {
		if den <= 0 || num < 0 || decimals > 3 || num > 1<<50 || den > 1<<50 {
			t.Skip()
		}
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		// floor(num·scale/den + 1/2)
		n := new(big.Int).Mul(big.NewInt(num), scale)
		n.Mul(n, big.NewInt(2)).Add(n, big.NewInt(den))
		n.Div(n, big.NewInt(2*den))
		got := ""
		for _, r := range units.Fixed(num, den, int(decimals)) {
			if r != ',' && r != '.' {
				got += string(r)
			}
		}
		have, _ := new(big.Int).SetString(got, 10)
		if have == nil || have.Cmp(n) != 0 {
			t.Fatalf("%d/%d with %d decimals: %s, want %s", num, den, decimals, units.Fixed(num, den, int(decimals)), n)
		}
	})
}
