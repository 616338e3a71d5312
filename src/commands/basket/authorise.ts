import { authoriseCommand } from '../authorise-command.ts';

export const { register, run } = authoriseCommand('basket');
