"""`python -m cabochon` is the command `cabochon`."""

import sys

from cabochon.cli import main

sys.exit(main())
