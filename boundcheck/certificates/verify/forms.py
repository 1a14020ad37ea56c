"""Normal forms."""
def shows(code, left, right, relation, intervals):
    return False
