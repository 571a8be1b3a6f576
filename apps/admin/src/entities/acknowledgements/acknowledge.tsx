import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { acknowledgePermissions } from '@yardarm/contract/attention';
import { useEachNewer } from '../../lib/activity.ts';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { holdsSomewhere, meQuery, type Place, useMay } from '../../lib/me.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Acknowledgement = Answer<'POST /api/admin/acknowledgements'>['acknowledgements'][number];

/** Who looks after what automation left for a person. */
const acknowledgementsQuery = apiQuery('GET /api/admin/acknowledgements');

interface Props {
  /** Subjects that are acknowledged at once; none renders nothing. */
  readonly subjects: readonly string[];
  /** Where the flag is; undefined for an alert, which belongs to no project. */
  readonly place?: Place;
  /** Names the subjects in the labels of the buttons. */
  readonly of: string;
}

/**
 * Shows who looks after what automation left, and since when. Lets a person say "I have it", so that others know
 * and no reminder is sent, and withdraw it.
 */
export function Acknowledge({ subjects, place, of }: Props) {
  const { data, refetch } = useQuery(acknowledgementsQuery);
  useEachNewer('events', refetch);
  const mayAcknowledge = useMayAcknowledge(place);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (acknowledged: boolean) =>
      api('POST /api/admin/acknowledgements', { body: { subjects: [...subjects], acknowledged } }),
    onSuccess: (answer) => queries.setQueryData(acknowledgementsQuery.queryKey, answer),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Acknowledging failed', message: errorMessage(error) }),
  });
  if (data === undefined || subjects.length === 0) return null;
  const given = data.acknowledgements.filter(({ subject }) => subjects.includes(subject));
  const isWhole = given.length === subjects.length;
  if (given.length === 0 && !mayAcknowledge) return null;
  return (
    <Group gap="xs">
      {given.length > 0 && <Holders given={given} total={subjects.length} />}
      {mayAcknowledge && (
        <Button
          size="compact-sm"
          variant={isWhole ? 'subtle' : 'default'}
          loading={change.isPending}
          onClick={() => change.mutate(!isWhole)}
          aria-label={`${isWhole ? 'Withdraw' : 'I have it'}: ${of}`}
        >
          {isWhole ? 'Withdraw' : 'I have it'}
        </Button>
      )}
    </Group>
  );
}

function useMayAcknowledge(place: Place | undefined): boolean {
  const { data: me } = useQuery(meQuery);
  const may = useMay();
  if (place !== undefined) return may(acknowledgePermissions, place);
  return me !== undefined && holdsSomewhere(me.permissions, acknowledgePermissions);
}

/** Names the persons; says of how many of the subjects they look after, when it is not all. */
function Holders({ given, total }: { readonly given: readonly Acknowledgement[]; readonly total: number }) {
  const names = [...new Set(given.map(({ by }) => by))];
  const [newest] = given;
  if (newest === undefined) return null;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <b>{names.join(' and ')}</b> {names.length === 1 ? 'has' : 'have'}{' '}
      {given.length < total ? `${given.length} of ${total}` : 'it'}, <RelativeTime at={newest.at} />
    </Text>
  );
}
