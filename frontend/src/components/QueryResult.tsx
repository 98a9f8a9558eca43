import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from './ErrorState'
import { Skeleton } from './Skeleton'

type Props<Data> = {
  query: UseQueryResult<Data>
  /** Says what is being fetched. */
  loading: string
  /** Of the skeleton's blocks. */
  heights: number[]
  /** What could not be done, where that is not clear from around it. */
  failed?: string
  /** Of what it says then: h2 where no section stands around it. */
  heading?: 'h2' | 'h3'
  children: (data: Data) => ReactNode
}

/** A part of a page or dialog that is fetched: its skeleton, its content, or why it could not be loaded. */
export function QueryResult<Data>({ query, loading, heights, failed, heading = 'h3', children }: Props<Data>) {
  return (
    <>
      {query.isPending ? <Skeleton label={loading} heights={heights} /> : null}
      {query.isError ? (
        <ErrorState
          heading={heading}
          title={failed}
          text={loadErrorMessage(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  )
}
