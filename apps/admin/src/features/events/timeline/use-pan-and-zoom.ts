import { type KeyboardEvent, type PointerEvent, type RefCallback, useCallback, useRef, useState } from 'react';
import { panned, type TimeRange, zoomed } from './scale.ts';

/** The state of a drag, while the pointer is pressed. */
interface Held {
  readonly x: number;
  readonly range: TimeRange;
  /** Whether a range is being selected instead of panned. */
  readonly choosing: boolean;
  moved: boolean;
}

interface Selection {
  readonly from: number;
  readonly to: number;
}

/** The distance in pixels below which a movement of the pointer counts as a click. */
const clickTolerance = 4;

/**
 * Pans and zooms by pointer, wheel and keyboard. Dragging pans; dragging with Shift selects a range to zoom into. The
 * wheel pans sideways or with Shift, and zooms with Ctrl (as a pinch on a touchpad does). Double click, + and - zoom;
 * Shift with an arrow key pans.
 */
export function usePanAndZoom(range: TimeRange, width: number, onShow: (range: TimeRange) => void) {
  const held = useRef<Held>(undefined);
  const [selection, setSelection] = useState<Selection>();
  const now = useRef({ range, width, onShow });
  now.current = { range, width, onShow };
  const length = range.end - range.start;
  const timeAt = (x: number) => range.start + (x / width) * length;
  const xOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement> | React.MouseEvent<HTMLElement>) =>
    clientX - currentTarget.getBoundingClientRect().left;

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) held.current = { x: xOf(event), range, choosing: event.shiftKey, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = held.current;
      if (from === undefined) return;
      const x = xOf(event);
      if (!from.moved && Math.abs(x - from.x) < clickTolerance) return;
      if (!from.moved) event.currentTarget.setPointerCapture(event.pointerId);
      from.moved = true;
      if (from.choosing) setSelection({ from: Math.min(x, from.x), to: Math.max(x, from.x) });
      else onShow(panned(from.range, (from.x - x) / width));
    },
    onPointerUp: () => {
      if (selection !== undefined) onShow({ start: timeAt(selection.from), end: timeAt(selection.to) });
      setSelection(undefined);
      // Keeps the state after a drag, because the click event that follows must be ignored.
      if (held.current?.moved !== true) held.current = undefined;
    },
    onPointerCancel: () => {
      held.current = undefined;
      setSelection(undefined);
    },
    onClickCapture: (event: React.MouseEvent<HTMLElement>) => {
      if (held.current?.moved === true) event.stopPropagation();
      held.current = undefined;
    },
    onDoubleClick: (event: React.MouseEvent<HTMLElement>) => onShow(zoomed(range, 0.5, timeAt(xOf(event)))),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const next = byKey(event, range);
      if (next === undefined) return;
      event.preventDefault();
      onShow(next);
    },
  };
  return { handlers, ref: useWheel(now), selection };
}

function byKey({ key, shiftKey }: KeyboardEvent, range: TimeRange): TimeRange | undefined {
  if (key === '+' || key === '=') return zoomed(range, 0.5);
  if (key === '-') return zoomed(range, 2);
  if (!shiftKey) return undefined;
  if (key === 'ArrowLeft') return panned(range, -0.25);
  return key === 'ArrowRight' ? panned(range, 0.25) : undefined;
}

interface Now {
  readonly range: TimeRange;
  readonly width: number;
  readonly onShow: (range: TimeRange) => void;
}

/** React's wheel listeners are passive and cannot prevent scrolling. */
function useWheel(now: React.RefObject<Now>): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
      if (element === null) return undefined;
      const turned = (event: WheelEvent) => {
        const { range, width, onShow } = now.current;
        const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
        const isZoom = event.ctrlKey || event.metaKey;
        if (!isZoom && Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
        event.preventDefault();
        if (!isZoom) {
          onShow(panned(range, sideways / width));
          return;
        }
        const x = event.clientX - element.getBoundingClientRect().left;
        const at = range.start + (x / width) * (range.end - range.start);
        onShow(zoomed(range, Math.exp(event.deltaY / 300), at));
      };
      element.addEventListener('wheel', turned, { passive: false });
      return () => element.removeEventListener('wheel', turned);
    },
    [now],
  );
}
