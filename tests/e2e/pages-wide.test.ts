import { describe } from 'vitest';
import { opensEveryPage } from './every-page.ts';

describe('every page', () => opensEveryPage({ colorScheme: 'dark', width: 1600 }, 'from another page'));
