import { IconUrgent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { incidentsQuery } from '../../features/incidents/incident-queries.ts';
import { formatDateMinute } from '../../ui/dates.ts';
import type { Entry } from './entry.ts';

/** Returns the newest incidents, once something is typed. */
export function useIncidentEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery({ ...incidentsQuery, enabled: query !== '', staleTime: 30_000 });
  return (data?.incidents ?? []).map(({ id, title, project, flags, startedAt, openHolds }) => ({
    id: `incident ${id}`,
    label: title,
    description: ['Incident', formatDateMinute(startedAt), project, openHolds > 0 && 'held', flags.join(', ')]
      .filter(Boolean)
      .join(' · '),
    icon: <IconUrgent size={18} aria-hidden />,
    run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: String(id) } }),
  }));
}
