import { keepStatements } from '../../apps/server/src/storage/prepared-query.ts';

keepStatements(false);
