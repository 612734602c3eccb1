// Marks in a page's contents the section that is being read.

const list = document.querySelector("[data-contents]");
const links = new Map([...(list?.querySelectorAll("a") ?? [])].map((a) => [a.hash.slice(1), a]));
const headings = [...links.keys()].map((id) => document.getElementById(id));

/** The last heading above the upper third of the window is the section's. */
function mark() {
  const above = headings.filter((h) => h.getBoundingClientRect().top < innerHeight / 3);
  const current = links.get(above.at(-1)?.id);
  for (const link of links.values()) {
    if (link === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // A list that is longer than the window scrolls by itself: the marked line stays in sight.
  const box = list.parentElement;
  if (current && box.scrollHeight > box.clientHeight) box.scrollTop = current.offsetTop - box.clientHeight / 2;
}

if (headings.length > 0) {
  const watch = new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px" });
  for (const heading of headings) watch.observe(heading);
  addEventListener("scrollend", mark); // a jump over headings crosses none
}
