import './kit.css'
import { startPage } from './page'

// One script is the page and its workers: see workers.ts.
if (typeof document === 'undefined') void import('@/vault/vault.worker')
else startPage()
