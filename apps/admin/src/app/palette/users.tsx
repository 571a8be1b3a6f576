import { IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { nameOf } from '../../entities/users/user-queries.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useMay } from '../../lib/me.ts';
import type { Entry } from './entry.ts';

/** The minimum length of a query for which the server searches users. */
const fewestCharacters = 2;

/** Searches users on the server; returns none without the permission to open their page. */
export function useUserEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const isAllowed = useMay()('ADMIN');
  const enabled = isAllowed && query.length >= fewestCharacters;
  const { data } = useQuery({
    ...apiQuery('GET /api/admin/user-admin/search', { query: { q: query } }),
    enabled,
    placeholderData: keepPreviousData,
  });
  if (!enabled) return [];
  return (data ?? []).map((user) => ({
    id: `user ${user.id}`,
    label: nameOf(user),
    description: ['User', user.username, user.email].filter(Boolean).join(' · '),
    icon: <IconUser size={18} aria-hidden />,
    run: () => void navigate({ to: '/admin/users', search: { query: user.username ?? user.email ?? nameOf(user) } }),
  }));
}
