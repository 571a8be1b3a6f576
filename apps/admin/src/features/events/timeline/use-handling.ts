import { type KeyboardEvent, type PointerEvent, type RefCallback, useCallback, useRef, useState } from 'react';
import { panned, type Stretch, zoomed } from './scale.ts';

/** A pointer that is held down. */
interface Held {
  readonly x: number;
  readonly stretch: Stretch;
  /** Whether a part is being chosen instead of the whole being moved. */
  readonly choosing: boolean;
  moved: boolean;
}

interface Selection {
  readonly from: number;
  readonly to: number;
}

/** Less than this, in pixels, is a click that trembled. */
const trembling = 4;

/**
 * Moves and zooms by hand. Dragging moves, dragging with Shift chooses what to zoom into, a wheel turned sideways or with
 * Shift moves, one turned with Ctrl (which is what two fingers on a pad do) zooms, and so do a double click, + and -; Shift with an arrow moves.
 */
export function useHandling(stretch: Stretch, width: number, onShow: (stretch: Stretch) => void) {
  const held = useRef<Held>(undefined);
  const [selection, setSelection] = useState<Selection>();
  const now = useRef({ stretch, width, onShow });
  now.current = { stretch, width, onShow };
  const length = stretch.end - stretch.start;
  const timeAt = (x: number) => stretch.start + (x / width) * length;
  const xOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement> | React.MouseEvent<HTMLElement>) =>
    clientX - currentTarget.getBoundingClientRect().left;

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) held.current = { x: xOf(event), stretch, choosing: event.shiftKey, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = held.current;
      if (from === undefined) return;
      const x = xOf(event);
      if (!from.moved && Math.abs(x - from.x) < trembling) return;
      if (!from.moved) event.currentTarget.setPointerCapture(event.pointerId);
      from.moved = true;
      if (from.choosing) setSelection({ from: Math.min(x, from.x), to: Math.max(x, from.x) });
      else onShow(panned(from.stretch, (from.x - x) / width));
    },
    onPointerUp: () => {
      if (selection !== undefined) onShow({ start: timeAt(selection.from), end: timeAt(selection.to) });
      setSelection(undefined);
      // The click that follows on a drag must still find that it was one.
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
    onDoubleClick: (event: React.MouseEvent<HTMLElement>) => onShow(zoomed(stretch, 0.5, timeAt(xOf(event)))),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const next = byKey(event, stretch);
      if (next === undefined) return;
      event.preventDefault();
      onShow(next);
    },
  };
  return { handlers, ref: useWheel(now), selection };
}

function byKey({ key, shiftKey }: KeyboardEvent, stretch: Stretch): Stretch | undefined {
  if (key === '+' || key === '=') return zoomed(stretch, 0.5);
  if (key === '-') return zoomed(stretch, 2);
  if (!shiftKey) return undefined;
  if (key === 'ArrowLeft') return panned(stretch, -0.25);
  return key === 'ArrowRight' ? panned(stretch, 0.25) : undefined;
}

interface Now {
  readonly stretch: Stretch;
  readonly width: number;
  readonly onShow: (stretch: Stretch) => void;
}

/** React listens to wheels without being able to keep the page still. */
function useWheel(now: React.RefObject<Now>): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
      if (element === null) return undefined;
      const turned = (event: WheelEvent) => {
        const { stretch, width, onShow } = now.current;
        const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
        const isZoom = event.ctrlKey || event.metaKey;
        if (!isZoom && Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
        event.preventDefault();
        if (!isZoom) {
          onShow(panned(stretch, sideways / width));
          return;
        }
        const x = event.clientX - element.getBoundingClientRect().left;
        const at = stretch.start + (x / width) * (stretch.end - stretch.start);
        onShow(zoomed(stretch, Math.exp(event.deltaY / 300), at));
      };
      element.addEventListener('wheel', turned, { passive: false });
      return () => element.removeEventListener('wheel', turned);
    },
    [now],
  );
}
