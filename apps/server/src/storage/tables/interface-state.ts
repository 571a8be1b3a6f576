import type { Generated } from 'kysely';

export interface InterfaceStateTables {
  banners: {
    id: Generated<number>;
    message: string;
    enabled: number;
    variant: 'info' | 'success' | 'warning' | 'error';
    sticky: number;
    icon: string | null;
    link: string | null;
    link_text: string | null;
    dialog_title: string | null;
    dialog: string | null;
    created_at: number;
  };
  /** Splash pages that users have seen: each is shown once. */
  splashes_seen: { user_id: number; splash: string };
  /**
   * Answers of users to questions for feedback: the time of their feedback, and 1 in `never_show` when they refuse the
   * question.
   */
  opinions_asked: { user_id: number; feedback: string; never_show: number; given_at: number | null };
  /** Feedback, stored anonymously. */
  opinions: {
    id: Generated<number>;
    created_at: number;
    category: string;
    user_type: string | null;
    difficulty_score: number | null;
    positive: string | null;
    areas_for_improvement: string | null;
  };
}
