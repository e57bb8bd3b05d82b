// Lets Node load TypeScript, on every supported version and in ESM and CommonJS projects alike:
// `node --import @singletable/kit/register main.ts`.
import 'jiti/register'
