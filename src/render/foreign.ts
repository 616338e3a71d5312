/** Text of banks, PSUs and files passes one of these before a terminal sees it. */
export { clean, cleanLine } from '../clean.ts';
