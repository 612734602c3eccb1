(async (n) => {
	const pause = (ms) => new Promise((done) => setTimeout(done, ms));
	await pause(1000); // what the page still loads of itself
	const edits = [], from = performance.now();
	for (let i = 0; i < n; i++) {
		edits.push(await bench.edit(bench.values[bench.next++ % bench.values.length]));
		await pause(100);
	}
	await pause(200);
	const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.getEntriesByName("first-paint")[0]?.startTime ?? 0;
	return JSON.stringify({
		Paint: paint, Visible: bench.visible, First: bench.first, Edits: edits, Shift: bench.shifted,
		LoadTasks: bench.tasks.filter(([at]) => at < bench.first).map((t) => t[1]), EditTasks: bench.tasks.filter(([at]) => at >= from).map((t) => t[1]),
	});
})
