import { List } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { OptionalReason } from '../../entities/change-reasons/optional-reason.tsx';
import { changedByFlags } from '../../entities/flags/flag-queries.ts';
import { failuresOf, failureText, type PlaceFailure } from '../../entities/holds/failures-of.ts';
import { firstOf, placeOf } from '../../entities/holds/held-group.ts';
import { afterReleaseOf, effectOf } from '../../entities/holds/hold-words.ts';
import { firstHours, KeepOffSelect, keepAutomationOff, keptOffText } from '../../entities/holds/keep-off.tsx';
import type { Held } from '../../entities/holds/now-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { useInvalidate } from '../../lib/use-invalidate.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { counted } from '../../ui/counted.ts';
import { ScrollingList } from './scrolling-list.tsx';

const route = 'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId';
const changed = ['GET /api/admin/now', 'GET /api/admin/automation-overrides', ...changedByFlags] as const;

/** A hold, on pages other than Now without the hold that takes effect after it. */
type Releasable = Omit<Held, 'afterRelease'> & Partial<Pick<Held, 'afterRelease'>>;

interface Props {
  readonly holds: readonly Releasable[];
  /** All holds that the page lists. Those of the same flags that are not released go on. */
  readonly listed: readonly Releasable[];
  readonly onClose: () => void;
}

/** Releases holds, after showing the state that each flag has afterwards. */
export function ReleaseHolds({ holds, listed, onClose }: Props) {
  const [reason, setReason] = useState<string>();
  const [hours, setHours] = useState(firstHours);
  const may = useMay();
  // The holds that automation placed: an override keeps the next signal from undoing the release.
  const overridable = holds.filter(
    ({ heldBy, project, environment }) =>
      heldBy.kind !== 'person' && may('OVERRIDE_AUTOMATION', { project, environment }),
  );
  // The holds that have been released: they are left out when the user tries again after an error.
  const released = useRef(new Set<number>());
  const invalidate = useInvalidate();
  const release = async () => {
    // Places the overrides before the releases, so that no signal can hold a flag again in between.
    const notKeptOff = await keepAutomationOff(overridable, hours, reason?.trim() || 'Released by hand');
    const left = holds.filter(({ id }) => !released.current.has(id));
    const notReleased = await failuresOf(
      left,
      async ({ project: projectId, featureName, environment, id: leaseId }) => {
        await api(route, { params: { projectId, featureName, environment, leaseId }, reason });
        released.current.add(leaseId);
      },
    );
    if (notReleased.length + notKeptOff.length === 0) {
      const done = holds.length === 1 ? 'Hold released.' : `${holds.length} holds released.`;
      notifications.show({ message: `${done}${keptOffText(overridable, hours)}` });
      return;
    }
    await invalidate(changed);
    throw new Error(failureOf(holds.length, notReleased, notKeptOff));
  };
  const places = Map.groupBy(holds, placeOf);
  return (
    <Confirm
      title={holds.length === 1 ? 'Release hold?' : `Release ${holds.length} holds?`}
      action={holds.length === 1 ? 'Release hold' : `Release ${holds.length} holds`}
      color="sea"
      run={release}
      changes={changed}
      onClose={onClose}
    >
      <ScrollingList>
        {[...places.values()].map((together) => (
          <Place key={together[0]?.id} holds={together} listed={listed} />
        ))}
      </ScrollingList>
      {overridable.length > 0 && <KeepOffSelect value={hours} onChange={setHours} />}
      <OptionalReason value={reason} onChange={setReason} />
    </Confirm>
  );
}

/**
 * Returns an error text: which holds were not released, and from which flags automation was not kept off. A message
 * that both have in common is given once.
 */
function failureOf(holds: number, notReleased: readonly PlaceFailure[], notKeptOff: readonly PlaceFailure[]): string {
  const all = holds === 1 ? 'The hold was released.' : 'The holds were released.';
  const some = `${notReleased.length} of ${holds} could not be released. ${failureText(notReleased, 'hold')}`;
  const messages = new Set(notReleased.map(({ message }) => message));
  const isSame = notKeptOff.every(({ message }) => messages.has(message));
  const overrides = isSame
    ? `Automation was not kept off ${counted(notKeptOff.length, 'flag')}, for the same reason.`
    : `Automation was not kept off: ${failureText(notKeptOff, 'flag')}`;
  return [notReleased.length === 0 ? all : some, ...(notKeptOff.length === 0 ? [] : [overrides])].join(' ');
}

/** The state of a flag in an environment after its holds are released. */
function Place({ holds, listed }: Pick<Props, 'holds' | 'listed'>) {
  const [hold] = holds;
  if (hold === undefined) return null;
  const { featureName, environment } = hold;
  const after = holds.length === 1 && isWhole(hold) ? afterReleaseOf(hold) : afterReleaseOfAll(holds, listed);
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <b>{featureName}</b> in {environment}: held {heldAs(holds)}, then {after}
    </List.Item>
  );
}

function isWhole(hold: Releasable): hold is Held {
  return hold.afterRelease !== undefined;
}

/** Returns the state of the flag once these of its holds are released: "still held, by Eve" or "on, as configured". */
function afterReleaseOfAll(holds: readonly Releasable[], listed: readonly Releasable[]): string {
  const ids = new Set(holds.map(({ id }) => id));
  const [first] = holds;
  if (first === undefined) return '';
  const others = listed.filter((hold) => placeOf(hold) === placeOf(first) && !ids.has(hold.id));
  if (others.length === 0) return `${first.configuredOn ? 'on' : 'off'}, as configured`;
  return `still held, by ${firstOf([...new Set(others.map(({ heldBy }) => heldBy.name))])}`;
}

/** Returns the effects of holds, each once: "off and at 10 %, by 3 holds". */
function heldAs(holds: readonly Releasable[]): string {
  const effects = [...new Set(holds.map(effectOf))].join(' and ');
  return holds.length === 1 ? effects : `${effects}, by ${holds.length} holds`;
}
