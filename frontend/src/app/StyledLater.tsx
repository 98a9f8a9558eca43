import type { ReactNode } from 'react'
import { MuiStyles } from '@/components/mui-styles'
import { Styled } from './Styled'

const draw = (children: ReactNode) => <Styled>{children}</Styled>

/** Around a page that is drawn without MUI: what opens over it may use MUI all the same. */
export function StyledLater({ children }: { children: ReactNode }) {
  return <MuiStyles value={draw}>{children}</MuiStyles>
}
