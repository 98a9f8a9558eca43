import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { SectionCard } from '@/components/SectionCard'
import { Skeleton } from '@/components/Skeleton'
import { StateBadge } from '@/components/StateBadge'
import { formatNumber } from '@/i18n/format'
import type { GuestLink, LinkKind, LinkPolicy } from '../api'

const EndLinkDialog = lazy(() => import('./EndLinkDialog'))
const LinkPolicyDialog = lazy(() => import('./LinkPolicyDialog'))

type Links<Link> = { links: Link[]; policy: LinkPolicy }
type Props<Link, Key extends readonly string[]> = {
  kind: LinkKind
  query: UseQueryOptions<Links<Link>, Error, Links<Link>, Key>
  details: (link: Link) => string
  /** The state of a link that is not open any more. */
  stateOf: (link: Link) => { text: string; isWarning?: boolean }
}

/** Links for people without an account: who made them, what came of them, and what is allowed. */
export function GuestLinks<Link extends GuestLink, Key extends readonly string[]>(props: Props<Link, Key>) {
  const { kind, query, details, stateOf } = props
  const { t } = useTranslation('storage')
  const { data, error } = useQuery(query)
  const [ending, setEnding] = useState<Link | null>(null)
  const [isChanging, setIsChanging] = useState(false)
  return (
    <SectionCard
      title={t(`${kind}.title`)}
      remark={data ? policyText(data.policy, t) : null}
      aside={
        data ? (
          <Button variant="text" onClick={() => setIsChanging(true)}>
            {t('shares.rules')}
            <span className="t-hidden"> {t(`${kind}.title`)}</span>
          </Button>
        ) : null
      }
    >
      {error && !data ? (
        <p role="alert" className="t-soft">
          {loadErrorMessage(error)}
        </p>
      ) : null}
      {!error && !data ? <Skeleton label={t(`${kind}.loading`)} heights={[44]} /> : null}
      {data?.links.length === 0 ? <p className="t-soft">{t(`${kind}.none`)}</p> : null}
      <ul className="t-grid">
        {data?.links.map((link) => {
          const name = link.authorName || t('shares.removed')
          const state = stateOf(link)
          return (
            <li key={link.id} className="t-ends">
              <div>
                <bdi>{name}</bdi>
                <p className="t-soft">{details(link)}</p>
              </div>
              {link.state === 'open' ? (
                <Button variant="text" onClick={() => setEnding(link)}>
                  {t('shares.end')}
                  <span className="t-hidden"> {name}</span>
                </Button>
              ) : (
                <StateBadge tone={state.isWarning ? 'warning' : 'muted'}>{state.text}</StateBadge>
              )}
            </li>
          )
        })}
      </ul>
      <Suspense fallback={null}>
        {ending ? <EndLinkDialog kind={kind} link={ending} onClose={() => setEnding(null)} /> : null}
        {data && isChanging ? (
          <LinkPolicyDialog kind={kind} policy={data.policy} onClose={() => setIsChanging(false)} />
        ) : null}
      </Suspense>
    </SectionCard>
  )
}

function policyText({ isAllowed, maxDays }: LinkPolicy, t: ReturnType<typeof useTranslation<'storage'>>['t']): string {
  return isAllowed ? t('shares.allowed', { count: maxDays, number: formatNumber(maxDays) }) : t('shares.forbidden')
}
