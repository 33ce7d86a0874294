#include "ownership.h"
