export { refuseInput } from '../schema/input-issues.ts'
