import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { useReport } from '../ui/report.ts';

/** Ends the session; the login comes up. */
export function useLogout(): () => void {
  const queries = useQueryClient();
  const report = useReport();
  const logout = useMutation({
    mutationFn: () => api('POST /logout'),
    onSuccess: () => queries.resetQueries(),
    onError: report,
  });
  return () => logout.mutate();
}
