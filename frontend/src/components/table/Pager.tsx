import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import { FirstIcon } from '../icons/FirstIcon'
import { LastIcon } from '../icons/LastIcon'
import { NextIcon } from '../icons/NextIcon'
import { PreviousIcon } from '../icons/PreviousIcon'
import styles from './Pager.module.css'
import { PAGE_SIZES, type TableControl } from './use-table-state'

type Props = { control: TableControl; total: number; capped?: boolean; shown: number }

export function Pager({ control, total, capped = false, shown }: Props) {
  const { t } = useTranslation('table')
  const id = useId()
  const { page, size } = control.state
  const lastPage = Math.max(0, Math.ceil(total / size) - 1)
  const hasNext = capped ? shown === size : page < lastPage
  const steps = [
    ['first', FirstIcon, 0, page > 0],
    ['previous', PreviousIcon, page - 1, page > 0],
    ['next', NextIcon, page + 1, hasNext],
    ['last', LastIcon, lastPage, hasNext && !capped],
  ] as const
  const range = {
    from: formatNumber(total === 0 ? 0 : page * size + 1),
    to: formatNumber(page * size + shown),
    total: capped ? t('pages.capped', { total: formatNumber(total) }) : formatNumber(total),
  }
  return (
    <nav className={styles.pager} aria-label={t('pages.label')}>
      <label htmlFor={id}>{t('pages.size')}</label>
      <select id={id} value={size} onChange={(event) => control.change({ size: Number(event.target.value) })}>
        {PAGE_SIZES.map((each) => (
          <option key={each} value={each}>
            {formatNumber(each)}
          </option>
        ))}
      </select>
      <span className={styles.range}>{t('pages.range', range)}</span>
      <span className={styles.steps}>
        {steps.map(([step, Icon, target, possible]) => (
          <button
            key={step}
            type="button"
            className={styles.step}
            aria-label={t(`pages.${step}`)}
            disabled={!possible}
            onClick={() => control.change({ page: target })}
          >
            <Icon />
          </button>
        ))}
      </span>
    </nav>
  )
}
