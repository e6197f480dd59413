import { useEffect, useState } from "react";

/** Outlines of provinces and districts from the server: SVG paths in steps of 1/500 degree, to the east and to the north. */

export type Outline = { id: number; name: string; path: string; box: readonly number[] };
export type Boundaries = { credit: string | null; outlines: Outline[] };

const known = new Map<string, Promise<Boundaries>>();

async function fetchBoundaries(path: string): Promise<Boundaries> {
  const answer = await fetch(path, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Boundaries;
}

/** The outlines at an address of the server, fetched once. `hasFailed`: they could not be fetched. */
export function useBoundaries(path: string): { boundaries?: Boundaries; hasFailed: boolean; retry: () => void } {
  const [state, setState] = useState<{ path?: string; boundaries?: Boundaries; hasFailed: boolean }>({ hasFailed: false });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isGone = false;
    const asked = known.get(path) ?? fetchBoundaries(path);
    known.set(path, asked);
    asked.then(
      (boundaries) => isGone || setState({ path, boundaries, hasFailed: false }),
      () => {
        known.delete(path);
        if (!isGone) setState({ path, hasFailed: true });
      },
    );
    return () => {
      isGone = true;
    };
  }, [path, round]);
  const retry = () => {
    setState({ hasFailed: false });
    setRound(round + 1);
  };
  return state.path === path ? { ...state, retry } : { hasFailed: false, retry };
}

/** The number of steps in a degree. */
export const perDegree = 500;
type Frame = { viewBox: string; squeeze: number; size: number };

/**
 * The equirectangular projection of boxes [west, south, east, north] in steps. Degrees of longitude are shortened by the cosine of the middle
 * latitude (`squeeze`).
 */
export function frameOf(boxes: readonly (readonly number[])[]): Frame {
  const [west, south] = [0, 1].map((at) => Math.min(...boxes.map((box) => box[at]!))) as [number, number];
  const [east, north] = [2, 3].map((at) => Math.max(...boxes.map((box) => box[at]!))) as [number, number];
  const squeeze = Math.cos((((south + north) / 2 / perDegree) * Math.PI) / 180);
  const size = Math.max((east - west) * squeeze, north - south, 1);
  const edge = size * 0.03;
  const place = [west * squeeze - edge, -north - edge, (east - west) * squeeze + 2 * edge, north - south + 2 * edge];
  return { viewBox: place.map((value) => value.toFixed(1)).join(" "), squeeze, size };
}
