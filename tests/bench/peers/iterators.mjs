// Iterator methods that jax-js uses and Node before 22 lacks (ECMAScript 2025).
const Iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

const METHODS = {
  *map(change) {
    let index = 0;
    for (const item of this) yield change(item, index++);
  },
  *filter(accepts) {
    let index = 0;
    for (const item of this) if (accepts(item, index++)) yield item;
  },
  *flatMap(change) {
    let index = 0;
    for (const item of this) yield* change(item, index++);
  },
  *take(count) {
    if (count > 0) for (const item of this) if ((yield item, --count === 0)) return;
  },
  *drop(count) {
    for (const item of this) if (count-- <= 0) yield item;
  },
  toArray() {
    return [...this];
  },
  every(accepts) {
    return [...this].every((item, index) => accepts(item, index));
  },
  some(accepts) {
    return [...this].some((item, index) => accepts(item, index));
  },
  find(accepts) {
    return [...this].find((item, index) => accepts(item, index));
  },
  forEach(use) {
    [...this].forEach((item, index) => use(item, index));
  },
  reduce(...how) {
    return [...this].reduce(...how);
  },
};

for (const [name, method] of Object.entries(METHODS)) {
  if (name in Iterators) continue;
  Object.defineProperty(Iterators, name, { value: method, writable: true, configurable: true });
}
