#include "CoreLocationPart.h"
