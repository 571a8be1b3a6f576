import { describe } from 'vitest';
import { opensEveryPage } from './every-page.ts';

describe('every page', () => opensEveryPage({ colorScheme: 'light', width: 380 }, 'by its address'));
