/** The middle one of several values, ordered by a figure. */
export const middle = <Value>(values: Value[], by: (value: Value) => number): Value =>
  values.toSorted((one, other) => by(one) - by(other))[Math.floor(values.length / 2)]!;

/** NaN if there are none. */
export const middleOf = (figures: number[]): number =>
  figures.length > 0 ? middle(figures, (figure) => figure) : Number.NaN;
