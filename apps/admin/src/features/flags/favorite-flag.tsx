import { type Flag, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { FavoriteButton } from '../../ui/favorite-button.tsx';

/** Adds a flag to the user's favorites, which are listed first, or removes it. */
export function FavoriteFlag({ flag }: { readonly flag: Pick<Flag, 'name' | 'project' | 'favorite'> }) {
  const params = { projectId: flag.project, featureName: flag.name };
  const change = useFlagAction((favorite: boolean) =>
    favorite
      ? api('POST /api/admin/projects/:projectId/features/:featureName/favorites', { params })
      : api('DELETE /api/admin/projects/:projectId/features/:featureName/favorites', { params }),
  );
  const favorite = change.isPending ? change.variables : flag.favorite;
  return (
    <FavoriteButton
      name={flag.name}
      favorite={favorite}
      size={16}
      title={favorite ? 'Remove from favorites' : 'Add to favorites'}
      onChange={change.mutate}
    />
  );
}
