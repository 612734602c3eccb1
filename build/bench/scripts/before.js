{
	const b = globalThis.bench = { tasks: [], shift: 0, visible: 0 };
	new PerformanceObserver((l) => { for (const e of l.getEntries()) b.tasks.push([e.startTime, e.duration]) }).observe({ type: "longtask", buffered: true });
	new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) b.shift += e.value }).observe({ type: "layout-shift", buffered: true });
	const look = () => {
		const e = document.querySelector(%s);
		if (e?.textContent.trim() && e.checkVisibility()) b.visible = performance.now();
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
}
