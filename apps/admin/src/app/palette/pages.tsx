import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../lib/me.ts';
import { type NavigationItem, sections } from '../../ui/navigation.ts';
import type { Entry } from './entry.ts';

/** Returns the pages of the instance that the user may open; once something is typed, also their tabs and sections. */
export function usePageEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const may = useMay();
  const entriesOf = (place: NavigationItem, title: string | undefined): readonly Entry[] => {
    const { label, to, topics, parts = [] } = place;
    const icon = <place.icon size={18} aria-hidden />;
    const about = (text?: string) => [title, text].filter(Boolean).join(' · ');
    const page = { id: `page ${to}`, label, description: about(topics), icon, run: () => void navigate({ to }) };
    if (query === '') return [page];
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
  return sections.flatMap(({ title, places }) =>
    places.filter(({ needs }: NavigationItem) => may(needs)).flatMap((place) => entriesOf(place, title)),
  );
}
