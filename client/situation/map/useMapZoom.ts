import { type KeyboardEvent, type TouchEvent, type WheelEvent, useEffect, useRef, useState } from "react";
import { fetchedPart } from "../../ui/network/fetchedPart.ts";
import type { MapView, MapZoom } from "./mapZoom.ts";

const part = fetchedPart(() => import("./mapZoom.ts"));
const whole: MapView = { k: 1, x: 0, y: 0 };

/** What the keys do, as their names in `KeyboardEvent.key`. Arrows move an enlarged map; otherwise they scroll the page. */
const keys: Record<string, (zoom: MapZoom) => void> = {
  "+": (zoom) => zoom.by(1.5),
  "=": (zoom) => zoom.by(1.5),
  "-": (zoom) => zoom.by(1 / 1.5),
  "0": (zoom) => zoom.whole(),
};
const keysWhenEnlarged: Record<string, (zoom: MapZoom) => void> = {
  ArrowLeft: (zoom) => zoom.move(-0.2, 0),
  ArrowRight: (zoom) => zoom.move(0.2, 0),
  ArrowUp: (zoom) => zoom.move(0, -0.2),
  ArrowDown: (zoom) => zoom.move(0, 0.2),
  Escape: (zoom) => zoom.whole(),
};

/**
 * Enlarges a map by wheel, pinch, dragging, keys and buttons. The code for it is fetched at their first use,
 * because most people only look.
 */
export function useMapZoom() {
  const [svg, setSvg] = useState<SVGSVGElement | null>(null);
  const [view, setView] = useState(whole);
  const zoom = useRef<MapZoom>(undefined);
  const isEnlarged = view.k > 1;

  useEffect(() => {
    return () => {
      zoom.current?.end();
      zoom.current = undefined;
    };
  }, [svg]);

  const prepare = async (): Promise<MapZoom | undefined> => {
    if (!svg) return undefined;
    try {
      const { zoomOf } = await part.load();
      return (zoom.current ??= zoomOf(svg, setView));
    } catch {
      // Without network, before the device has all files: the map stays as it is.
      return undefined;
    }
  };
  const act = (change: (zoom: MapZoom) => void) => void prepare().then((ready) => ready && change(ready));
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const change = keys[event.key] ?? (isEnlarged ? keysWhenEnlarged[event.key] : undefined);
    if (!change) return;
    event.preventDefault();
    event.stopPropagation();
    act(change);
  };
  return {
    view,
    isEnlarged,
    enlarge: () => act((ready) => ready.by(1.5)),
    reduce: () => act((ready) => ready.by(1 / 1.5)),
    showWhole: () => act((ready) => ready.whole()),
    /** of the drawing; once the code is there, it hears wheel and fingers itself */
    events: {
      ref: setSvg,
      onKeyDown: press,
      onTouchStart: ({ touches }: TouchEvent) => {
        if (touches.length > 1) void prepare();
      },
      onWheel: ({ deltaY }: WheelEvent) => {
        if (!zoom.current && deltaY < 0) act((ready) => ready.by(1.5));
      },
    },
  };
}
