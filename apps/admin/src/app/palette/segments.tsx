import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../lib/api-query.ts';
import type { Entry } from './entry.ts';

/** Returns the segments, once something is typed. */
export function useSegmentEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    ...apiQuery('GET /api/admin/segments', {}, ({ segments }) => segments),
    enabled: query !== '',
    staleTime: 30_000,
  });
  return (data ?? []).map(({ id, name, description }) => ({
    id: `segment ${id}`,
    label: name,
    description: ['Segment', description].filter(Boolean).join(' · '),
    icon: <IconUsersGroup size={18} aria-hidden />,
    run: () => void navigate({ to: '/segments', search: { query: name } }),
  }));
}
