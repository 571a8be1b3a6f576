import { useNavigate } from '@tanstack/react-router';
import { reasonOf, useMay } from '../../lib/me.ts';
import { type NavigationItem, sections } from '../../ui/navigation.ts';
import type { Entry } from './entry.ts';

/**
 * Returns the pages of the instance: of those that the user may not open, the entry says which permission they need.
 * Once something is typed, also the tabs and sections that the user may open.
 */
export function usePageEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const may = useMay();
  const entriesOf = (place: NavigationItem, title: string | undefined): readonly Entry[] => {
    const { label, to, topics, parts = [] } = place;
    const icon = <place.icon size={18} aria-hidden />;
    const about = (text?: string) => [title, text].filter(Boolean).join(' · ');
    const isPermitted = may(place.needs);
    const description = isPermitted || place.needs === undefined ? about(topics) : reasonOf(place.needs);
    const page = { id: `page ${to}`, label, description, icon, run: () => void navigate({ to }) };
    if (query === '' || !isPermitted) return [page];
    const permitted = parts.filter(({ needs }) => may(needs));
    return [
      page,
      ...permitted.map((part) => ({
        id: `page ${to} ${part.label}`,
        label: `${label}: ${part.label}`,
        description: about(part.topics),
        icon,
        run: () => void navigate({ to, search: { tab: part.tab } }),
      })),
    ];
  };
  return sections.flatMap(({ title, places }) => places.flatMap((place) => entriesOf(place, title)));
}
