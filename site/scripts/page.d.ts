// What the checker (tsc, in `make check`) is told of the page's elements. A selector finds what the page's own markup has there,
// so an element has the fields of the controls, rows and links that it may be; what an event is about is such an element too.

declare module "generated:defaults.js" {
  export const model: string;
  export const device: string;
  export const context: string;
}

declare module "generated:asked.js" {
  export const meanings: Record<string, string>;
}

declare module "asset:*" {
  const address: string;
  export default address;
}

/** An element of the page. */
interface PageElement extends HTMLElement {
  checked: boolean;
  /** Moves a child and keeps its focus: not in every browser. */
  moveBefore?: <T extends Node>(child: T, before: Node | null) => T;
  name: string;
  value: string;
  defaultValue: string;
  type: string;
  href: string;
  hash: string;
  open: boolean;
  list: HTMLDataListElement;
  files: FileList;
  inputMode: string;
  webkitdirectory: boolean;
  options: HTMLOptionsCollection;
  selectedIndex: number;
  selectedOptions: HTMLCollectionOf<HTMLOptionElement>;
  elements: HTMLFormControlsCollection;
  cells: HTMLCollectionOf<HTMLTableCellElement>;
  rows: HTMLCollectionOf<HTMLTableRowElement>;
  select(): void;
}

interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelector(selectors: string): PageElement | null;
  querySelectorAll(selectors: string): NodeListOf<PageElement>;
}

interface Element {
  dataset: DOMStringMap;
  hidden: any;
  calculator?: any;
  controls?: { fields: NodeListOf<PageElement>; ranges: NodeListOf<PageElement> };
  closest(selectors: string): PageElement | null;
}

interface Node {
  localName?: any;
  data: any;
  cells: any;
  matches?(selectors: string): boolean;
}

interface EventTarget {
  name: any;
  value: any;
  defaultValue: any;
  type: any;
  list: any;
  files: any;
  open: any;
  inputMode: any;
  dataset: DOMStringMap;
  nodeName: string;
  closest(selectors: string): PageElement | null;
  select(): void;
}

interface Event {
  relatedTarget: any;
  dataTransfer: DataTransfer | null;
  clipboardData: DataTransfer | null;
}

/** What is chosen for a field: what is listed, what the hub should be asked for, or a device that the reader describes. */
interface Chosen {
  slug?: string;
  fetch?: string;
  own?: string;
  /** How many of a device. */
  many?: string;
}

interface ElementEventMap {
  pick: CustomEvent<Chosen>;
}

interface HTMLFormControlsCollection {
  [Symbol.iterator](): ArrayIterator<PageElement>;
  [name: string]: any;
}

interface Navigator {
  connection?: { saveData: boolean };
}

interface PerformanceEntry {
  type: string;
}
