"""What all tests share: where the models and examples are."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODELS = ROOT / "models"
EXAMPLES = HERE.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
sys.path.insert(0, str(HERE))
