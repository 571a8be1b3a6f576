import { IconBellRinging } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { endpointsQuery } from '../../entities/signals/signal-queries.ts';
import { useMay } from '../../lib/me.ts';
import type { Entry } from './entry.ts';

/** Returns the signal endpoints, once something is typed; none without the permission to see them. */
export function useEndpointEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const isAllowed = useMay()('ADMIN');
  const { data } = useQuery({ ...endpointsQuery, enabled: isAllowed && query !== '', staleTime: 30_000 });
  return (data ?? []).map(({ id, name, description }) => ({
    id: `endpoint ${id}`,
    label: name,
    description: ['Signal endpoint', description].filter(Boolean).join(' · '),
    icon: <IconBellRinging size={18} aria-hidden />,
    run: () => void navigate({ to: '/integrations/signals', search: { view: id } }),
  }));
}
