import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";

/** The part of the map that is shown: enlarged `k` times and moved by `x` and `y`, in the map's units. */
export type MapView = { k: number; x: number; y: number };

const largest = 12;

/** How a map is enlarged and moved other than by wheel, pinch and dragging. */
export type MapZoom = {
  by: (factor: number) => void;
  /** by parts of what is shown */ move: (right: number, down: number) => void;
  whole: () => void;
  end: () => void;
};

/**
 * Lets wheel, pinch and dragging enlarge and move a map. One finger and the wheel scroll the page while the whole map is
 * shown and they could not move it.
 */
export function zoomOf(svg: SVGSVGElement, onView: (view: MapView) => void): MapZoom {
  const { x, y, width, height } = svg.viewBox.baseVal;
  const area: [[number, number], [number, number]] = [
    [x, y],
    [x + width, y + height],
  ];
  const isEnlarged = () => zoomTransform(svg).k > 1;
  const map = select(svg);
  const behaviour = zoom<SVGSVGElement, unknown>()
    .extent(area)
    .translateExtent(area)
    .scaleExtent([1, largest])
    .filter((event: Event) => {
      if (event.type === "wheel") return true;
      if (event.type === "touchstart") return isEnlarged() || (event as TouchEvent).touches.length > 1;
      return isEnlarged() && (event as MouseEvent).button === 0;
    })
    .on("zoom", ({ transform }: { transform: MapView }) => {
      svg.style.touchAction = transform.k > 1 ? "none" : "pan-x pan-y";
      onView({ k: transform.k, x: transform.x, y: transform.y });
    });
  svg.style.touchAction = "pan-x pan-y";
  map.call(behaviour).on("dblclick.zoom", null);
  return {
    by: (factor) => behaviour.scaleBy(map, factor),
    move: (right, down) => {
      const { k } = zoomTransform(svg);
      behaviour.translateBy(map, (-right * width) / k, (-down * height) / k);
    },
    whole: () => behaviour.transform(map, zoomIdentity),
    end: () => {
      behaviour.transform(map, zoomIdentity);
      map.on(".zoom", null);
    },
  };
}
