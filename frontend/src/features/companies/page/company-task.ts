import type { ListedCompany } from '../api/list-companies'

/** What has been asked for and opens over the list. */
export type CompanyTask = { kind: 'status' | 'delete' | 'detail'; company: ListedCompany }
