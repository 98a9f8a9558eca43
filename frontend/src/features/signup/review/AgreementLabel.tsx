import { useTranslation } from 'react-i18next'

const mark = '\u0000'

export function AgreementLabel() {
  const { t } = useTranslation('signup')
  const [before, after] = t('review.agree', { agreement: mark }).split(mark)
  return (
    <>
      {before}
      <a href="/agreement" target="_blank" rel="noopener">
        {t('review.agreement')}
      </a>
      {after}
    </>
  )
}
