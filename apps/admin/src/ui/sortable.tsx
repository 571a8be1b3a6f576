import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';

interface Props {
  readonly ids: readonly string[];
  readonly onReorder: (ids: readonly string[]) => void;
  readonly disabled?: boolean;
  /** Returns the name of an item for screen readers; its id when absent. */
  readonly nameOf?: (id: string) => string;
  readonly children: ReactNode;
}

/** A vertical list that is reordered by dragging, or with space and the arrow keys. */
export function Sortable({ ids, onReorder, disabled = false, nameOf = (id) => id, children }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const dropped = ({ active, over }: DragEndEvent) => {
    const from = ids.indexOf(String(active.id));
    const to = over === null ? from : ids.indexOf(String(over.id));
    if (from !== to) onReorder(arrayMove([...ids], from, to));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={dropped}
      accessibility={{ announcements: announcementsFor(ids, nameOf) }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy} disabled={disabled}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

type Identified = { readonly id: string | number };

/** The screen reader announcements while an item is moved. */
function announcementsFor(ids: readonly string[], nameOf: (id: string) => string) {
  const name = ({ id }: Identified) => nameOf(String(id));
  const place = (over: Identified | null) =>
    over === null ? 'outside the list' : `at place ${ids.indexOf(String(over.id)) + 1} of ${ids.length}`;
  return {
    onDragStart: ({ active }: { active: Identified }) => `${name(active)} is picked up.`,
    onDragOver: ({ active, over }: DragEndEvent) => `${name(active)} is ${place(over)}.`,
    onDragEnd: ({ active, over }: DragEndEvent) => `${name(active)} was put ${place(over)}.`,
    onDragCancel: ({ active }: { active: Identified }) => `${name(active)} was returned to its place.`,
  };
}

/** Returns the props of an item of a {@link Sortable} and its drag handle. `label` names the item. */
export function useSortableItem(id: string, label: string, disabled = false) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled,
  });
  const style: CSSProperties = {
    ...(transform === null ? {} : { transform: `translate3d(0, ${Math.round(transform.y)}px, 0)` }),
    ...(transition === undefined ? {} : { transition }),
    ...(isDragging ? { position: 'relative', zIndex: 1, boxShadow: 'var(--mantine-shadow-md)' } : {}),
  };
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      variant="subtle"
      color="gray"
      {...attributes}
      {...listeners}
      disabled={disabled}
      aria-label={`Move ${label}`}
      style={{ cursor: disabled ? undefined : 'grab', touchAction: 'none' }}
    >
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
  return { ref: setNodeRef, style, handle };
}
