import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CopyButton } from '@/components/CopyButton'
import { StateBadge } from '@/components/StateBadge'
import { formatBytes, formatDateTime, formatNumber } from '@/i18n/format'
import type { Schemas } from '../api'
import { Name } from '../Name'
import styles from './requests.module.css'

export type FileRequest = Schemas['RequestInfo']
export type Arrival = Schemas['ArrivalInfo']

type Props = {
  request: FileRequest
  canEnd: boolean
  isAccepting: boolean
  onEnd: () => void
  onAccept: (arrival: Arrival) => void
  onRefuse: (arrival: Arrival) => void
}

const STATES = ['expired', 'superseded'] as const

/** A request, its link, and what has come by it. */
export function RequestCard({ request, canEnd, isAccepting, onEnd, onAccept, onRefuse }: Props) {
  const { t } = useTranslation('client')
  const { title, place, link, arrivals } = request
  const name = title ?? t(request.isForged ? 'requests.forged' : 'requests.hidden')
  const state = STATES.find((each) => each === request.state) ?? 'ended'
  return (
    <li className={`t-card ${styles.card}`}>
      <div className={styles.top}>
        <div className={styles.what}>
          <h2>
            <Name>{name}</Name>
          </h2>
          <p className="t-soft">
            {t('requests.details', {
              accepted: formatNumber(request.accepted),
              expires: formatDateTime(request.expires),
            })}
          </p>
          {place ? (
            <p className="t-soft">
              {t('requests.to')} <Name>{`${place.name}:/${place.folder}`}</Name>
            </p>
          ) : null}
          {request.isOwn ? null : (
            <p className="t-soft">
              <Name>{request.author || t('versions.former')}</Name>
            </p>
          )}
        </div>
        <div className={styles.actions}>
          {link === null ? null : <CopyButton text={link} label={t('share.copyLink')} />}
          {request.state === 'open' ? null : <StateBadge tone="muted">{t(`requests.states.${state}`)}</StateBadge>}
          {canEnd ? (
            <Button variant="outlined" aria-label={t('requests.endOf', { name })} onClick={onEnd}>
              {t('shares.end')}
            </Button>
          ) : null}
        </div>
      </div>
      {arrivals.length > 0 ? (
        <>
          <p className={styles.outside}>{t('requests.outside')}</p>
          <ul className="t-list">
            {arrivals.map((arrival) => {
              const date = formatDateTime(arrival.arrived)
              return (
                <li key={arrival.id} className="t-ends">
                  <span>{t('requests.arrived', { size: formatBytes(arrival.bytes), date })}</span>
                  {place ? (
                    <span className={styles.actions}>
                      <Button
                        disabled={isAccepting}
                        aria-label={t('requests.acceptOf', { date })}
                        onClick={() => onAccept(arrival)}
                      >
                        {t('requests.accept')}
                      </Button>
                      <Button
                        variant="outlined"
                        disabled={isAccepting}
                        aria-label={t('requests.refuseOf', { date })}
                        onClick={() => onRefuse(arrival)}
                      >
                        {t('requests.refuse')}
                      </Button>
                    </span>
                  ) : null}
                </li>
              )
            })}
          </ul>
        </>
      ) : null}
    </li>
  )
}
