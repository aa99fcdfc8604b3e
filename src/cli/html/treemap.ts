/**
 * A treemap: areas in proportion to numbers.
 *
 * @module
 */

/** A rectangle in the units of the map. */
export interface Rectangle {
  /** Left edge. */
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
  /** Width. */
  readonly width: number;
  /** Height. */
  readonly height: number;
}

/**
 * Divides `area` among `weights` into rectangles as square as they get (Bruls, Huizing and van Wijk's method).
 *
 * @param weights All above 0, largest first.
 * @returns One rectangle for each weight, in their order.
 */
export function squarify(weights: readonly number[], area: Rectangle): Rectangle[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = area.width * area.height / total;
  const sizes = weights.map((weight) => weight * scale);
  const placed: Rectangle[] = [];
  let free = area;
  for (let first = 0; first < sizes.length;) {
    const side = Math.min(free.width, free.height);
    let last = first + 1;
    let sum = sizes[first]!;
    while (
      last < sizes.length &&
      worst(sizes, first, last + 1, sum + sizes[last]!, side) <= worst(sizes, first, last, sum, side)
    ) {
      sum += sizes[last++]!;
    }
    const isLast = last === sizes.length;
    const isWide = free.width >= free.height;
    const thickness = isLast ? Math.max(free.width, free.height) : sum / side;
    let at = isWide ? free.y : free.x;
    for (const size of sizes.slice(first, last)) {
      const length = side * size / sum;
      placed.push(
        isWide
          ? { x: free.x, y: at, width: thickness, height: length }
          : { x: at, y: free.y, width: length, height: thickness },
      );
      at += length;
    }
    free = isWide
      ? { ...free, x: free.x + thickness, width: free.width - thickness }
      : { ...free, y: free.y + thickness, height: free.height - thickness };
    first = last;
  }
  return placed;
}

/** How far from a square the worst of a row's rectangles is; the sizes are sorted, so it is the first or the last. */
function worst(sizes: readonly number[], first: number, end: number, sum: number, side: number): number {
  const square = (side / sum) ** 2;
  return Math.max(square * sizes[first]!, 1 / (square * sizes[end - 1]!));
}
