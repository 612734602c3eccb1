import calc from 'asset:calc.wasm';
document.documentElement.dataset.calc = calc;
