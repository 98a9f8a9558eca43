import { useLocation } from 'react-router'
import { ok, type Call } from './server'

/** The page of a list that a call asks for, out of all rows. */
export function pageOf(rows: unknown[], { url: { searchParams } }: Call): Response {
  const limit = Number(searchParams.get('limit'))
  const start = Number(searchParams.get('skip')) * limit
  return ok({ item1: rows.slice(start, start + limit), item2: rows.length })
}

/** Shows the address, for tests that look at what a page keeps in it. */
export function Where() {
  const { pathname, search } = useLocation()
  return <p data-testid="where">{decodeURIComponent(`${pathname}${search}`)}</p>
}
