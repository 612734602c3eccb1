package text

import "testing"

func TestAdds(t *testing.T) {
	for _, c := range []struct {
		name, tex string
		want      bool
	}{
		{"a product", `32{,}000 \times 4{,}096 = 131{,}072{,}000 \text{ parameters}`, true},
		{"a wrong product", `32{,}000 \times 4{,}096 = 131{,}072{,}001 \text{ parameters}`, false},
		{"a square and a sum", `4 \times 768^2 + 4 \times 768 = 2{,}359{,}296 + 3{,}072 = 2{,}362{,}368 \text{ parameters}`, true},
		{"wrong in the middle", `4 \times 768^2 + 4 \times 768 = 2{,}359{,}297 + 3{,}072 = 2{,}362{,}368`, false},
		{"brackets", `61 \times \left( 512 + 64 \right) \times 2 = 70{,}272 \text{ bytes}`, true},
		{"brackets left out", `61 \times 512 + 64 \times 2 = 70{,}272 \text{ bytes}`, false},
		{"a fraction", `\frac{ 4{,}096 }{ 32 } = 128 \text{ numbers}`, true},
		{"a small fraction", `100 \times \tfrac{16}{8} = 200`, true},
		{"lines that go on", `P &\approx 12 \times 2 \\ &= 2 \times 12 \\ &= 24 \text{ parameters}`, true},
		{"a line that goes wrong", `P &\approx 12 \times 2 \\ &= 2 \times 12 \\ &= 25`, false},
		{"together", `2 \times 3 &= 6 \\ 4 \times 5 &= 20 \\ \text{together} &= 26 \text{ bytes}`, true},
		{"together, wrong", `2 \times 3 &= 6 \\ 4 \times 5 &= 20 \\ \text{together} &= 27 \text{ bytes}`, false},
		{"together, of names", `\text{layer} &= 6 \\ 4 \times 5 &= 20 \\ \text{together} &= 26`, true},
		{"lines with names", `\text{experts} &= 2 \times 3 = 6 \\ \text{router} &= 4 \times 5 = 20`, true},
		{"a difference over lines", `& 10 \\ -\;& 4 \\ =\;& 6 \text{ parameters}`, true},
		{"a wrong difference over lines", `& 10 \\ -\;& 4 \\ =\;& 7 \text{ parameters}`, false},
		{"a product over lines", `\begin{aligned} & 2 \times (3 + 4) \\ &= 14 \end{aligned}`, true},
		{"a wrong product over lines", `\begin{aligned} & 2 \times (3 + 4) \\ &= 15 \end{aligned}`, false},
		{"cut to a whole number", `2 \times 4 \times 4{,}096 \div 3 &\to 10{,}922 \\ 10{,}922 \div 256 &\to 43`, true},
		{"cut too far", `2 \times 4 \times 4{,}096 \div 3 &\to 10{,}920`, false},
		{"three digits", `6 \times 8{,}030{,}261{,}248 \times 15 \cdot 10^{12} = 7.23 \times 10^{23} \text{ FLOP}`, true},
		{"three digits, the last wrong", `6 \times 8{,}030{,}261{,}248 \times 15 \cdot 10^{12} = 7.24 \times 10^{23} \text{ FLOP}`, false},
		{"a unit", `5{,}762 \times 57{,}912{,}852{,}480 = 334\,\text{TFLOP} \text{ a second}`, true},
		{"another unit", `5{,}762 \times 57{,}912{,}852{,}480 = 334\,\text{GFLOP}`, false},
		{"time", `\frac{16{,}083{,}591{,}168 \text{ bytes}}{3.35 \times 10^{12} \text{ a second}} = 4.80\,\text{ms}`, true},
		{"percent", `\frac{359}{1{,}000} = 35.9\%`, true},
		{"a root", `\sqrt{\frac{1.00 \times 10^{24}}{100}} = 100{,}000{,}000{,}000`, true},
		{"a power that is not whole", `1.5 + \frac{8}{(16)^{0.25}} = 5.5`, true},
		{"a wrong power", `1.5 + \frac{8}{(16)^{0.5}} = 5.5`, false},
		{"under braces", `\underbrace{256 \cdot \tfrac{4}{8}}_{\text{weights}} + \underbrace{2 \cdot 8 \cdot \tfrac{6}{8}}_{\text{scales}} + 2 \cdot 2 = 144 \text{ bytes}`, true},
		{"letters beside numbers", `\text{attention} &= 2 \times 4 = 8 \text{ parameters} = 2.5\,h^2`, true},
		{"a list of letters", `h &= 4{,}096 & L &= 32 \\ k &= 8 & d &= 128`, true},
		{"a quotient by zero", `f(x) = \frac{a}{0} = \text{\%}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Adds(c.tex); (err == nil) != c.want {
				t.Errorf("%s: %v", c.tex, err)
			}
		})
	}
}

func FuzzAdds(f *testing.F) {
	f.Add(`\frac{16 \text{ bytes}}{3.35 \times 10^{12}} = 4.80\,\text{ms} \\ \text{together} &= (2 + 3)^2`)
	f.Fuzz(func(t *testing.T, tex string) {
		if len(tex) < 200 {
			Adds(tex)
		}
	})
}
